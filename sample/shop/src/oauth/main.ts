import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { configure } from '../configure.js';
import { AuthorizationServer } from './authorization-server.js';
import { OAuthAppModule } from './oauth-app.module.js';
import { SHOP_RESOURCE } from './shop-resource.js';

async function bootstrap(): Promise<void> {
  const { port, url, issuerPort, issuer, scope } = SHOP_RESOURCE;
  await AuthorizationServer.start({ port: issuerPort, resources: { [url]: scope } });
  const app = await NestFactory.create<NestExpressApplication>(OAuthAppModule);
  configure(app);
  await app.listen(port, '127.0.0.1');
  process.stdout.write(
    [
      '',
      `MCP endpoint:          ${url}`,
      `Authorization server:  ${issuer}`,
      '',
      'Paste the first into a client, without a token. It opens a page: sign in as alice (support) or bob (admin),',
      'with any password.',
      '',
      '',
    ].join('\n'),
  );
}

await bootstrap();
