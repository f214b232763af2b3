import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { McpTool } from 'nestjs-mcp-routes';
import { ProductParams } from './dto/product-params.js';
import { ProductViewV2 } from './dto/product-views.js';
import { availabilityOf } from './product.js';
import { ProductsService } from './products.service.js';

@ApiTags('products')
@Controller({ path: 'products', version: '2' })
export class ProductsV2Controller {
  constructor(private readonly products: ProductsService) {}

  @Get(':sku')
  @McpTool('get_product')
  @ApiOperation({ summary: 'Fetch one product by its stock keeping unit' })
  @ApiOkResponse({ type: ProductViewV2 })
  get(@Param() { sku }: ProductParams): ProductViewV2 {
    const product = this.products.get(sku);
    const { name, description, category, priceCents } = product;
    return {
      sku,
      name,
      description,
      category,
      price: { amount: priceCents, currency: 'EUR' },
      availability: availabilityOf(product),
    };
  }
}
