import { Controller, Get, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SkipThrottle } from '@nestjs/throttler';
import { Public } from '../auth/auth.decorators.js';

@ApiTags('health')
@Controller({ path: 'health', version: VERSION_NEUTRAL })
export class HealthController {
  @Get()
  @Public()
  @SkipThrottle()
  @ApiOperation({ summary: 'Say that the application is up' })
  check(): { status: 'ok' } {
    return { status: 'ok' };
  }
}
