import { Injectable } from '@nestjs/common';
import { McpResponseGuard, type OutgoingAnswer, type OutgoingResult } from 'nestjs-mcp-routes';

const EMAIL = /[\w.+-]+@[\w-]+\.[\w.-]+/g;

@Injectable()
export class RedactEmail extends McpResponseGuard {
  override check(answer: OutgoingAnswer): OutgoingResult | undefined {
    if (answer.tool === null) return undefined; // a list
    const clean = JSON.stringify(answer.result).replace(EMAIL, '[e-mail]');
    return JSON.parse(clean) as OutgoingResult;
  }
}
