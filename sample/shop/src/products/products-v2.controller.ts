import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { McpTool } from 'nestjs-mcp-routes';
import { ProductParams } from './dto/product-params.js';
import { Availability, ProductViewV2 } from './dto/product-views.js';
import { ProductsService } from './products.service.js';

const LOW_STOCK = 5;

@ApiTags('products')
@Controller({ path: 'products', version: '2' })
export class ProductsV2Controller {
  constructor(private readonly products: ProductsService) {}

  @Get(':sku')
  @McpTool('get_product')
  @ApiOperation({ summary: 'Fetch one product by its stock keeping unit' })
  @ApiOkResponse({ type: ProductViewV2 })
  get(@Param() { sku }: ProductParams): ProductViewV2 {
    const { priceCents, stock, ...product } = this.products.get(sku);
    return {
      ...product,
      price: { amount: priceCents, currency: 'EUR' },
      availability: availabilityOf(stock),
    };
  }
}

function availabilityOf(stock: number): Availability {
  if (stock === 0) return Availability.SoldOut;
  return stock <= LOW_STOCK ? Availability.LowStock : Availability.InStock;
}
