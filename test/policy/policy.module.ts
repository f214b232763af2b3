import { Module } from '@nestjs/common';
import { Directory } from './policy.fixture.js';

/** What guards of the endpoint and of tools inject. */
@Module({ providers: [Directory], exports: [Directory] })
export class PolicyModule {}
