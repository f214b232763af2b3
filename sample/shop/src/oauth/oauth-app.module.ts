import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ThrottlerGuard } from '@nestjs/throttler';
import { McpModule } from 'nestjs-mcp-routes';
import { FEATURES, SHOP } from '../app.module.js';
import { RolesGuard } from '../auth/roles.guard.js';
import { HealthController } from '../health/health.controller.js';
import { OAuthGuard } from './oauth.guard.js';
import { SHOP_RESOURCE } from './shop-resource.js';

/** The shop, with an authorization server in place of demo tokens. Nothing else is different. */
@Module({
  imports: [
    McpModule.forRoot({
      ...SHOP,
      resource: {
        url: SHOP_RESOURCE.url,
        authorizationServers: [SHOP_RESOURCE.issuer],
        scopes: [SHOP_RESOURCE.scope],
      },
    }),
    ...FEATURES,
  ],
  controllers: [HealthController],
  providers: [
    { provide: APP_GUARD, useClass: ThrottlerGuard },
    { provide: APP_GUARD, useClass: OAuthGuard },
    { provide: APP_GUARD, useClass: RolesGuard },
  ],
})
export class OAuthAppModule {}
