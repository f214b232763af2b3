import { ValidationPipe, VersioningType } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ApiExceptionFilter } from './common/api-exception.filter.js';
import { requestId } from './common/request-id.middleware.js';
import { TimingInterceptor } from './common/timing.interceptor.js';

export const GLOBAL_PREFIX = 'api';

/** What `main.ts` and the tests both do with the application, so that they run the same one. */
export function configure(app: NestExpressApplication): void {
  // Reads `category[]=tea` as a list of one, which the default parser of Express 5 does not.
  app.set('query parser', 'extended');
  app.use(requestId);
  app.setGlobalPrefix(GLOBAL_PREFIX);
  app.enableVersioning({ type: VersioningType.URI });
  app.useGlobalPipes(
    new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }),
  );
  app.useGlobalInterceptors(new TimingInterceptor());
  app.useGlobalFilters(new ApiExceptionFilter());
  app.enableShutdownHooks();
  serveDocumentation(app);
}

/** The page at `/docs`, and the document behind it at `/docs-json`. */
function serveDocumentation(app: NestExpressApplication): void {
  const config = new DocumentBuilder()
    .setTitle('Shop API')
    .setDescription('Products, customers and orders of a small tea and coffee shop.')
    .setVersion('1.0.0')
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config));
}
