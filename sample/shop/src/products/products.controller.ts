import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { McpTool } from 'nestjs-mcp-routes';
import { Roles } from '../auth/auth.decorators.js';
import { AdjustStockDto, CreateProductDto, UpdateProductDto } from './dto/product-bodies.js';
import { ProductParams } from './dto/product-params.js';
import { ListProductsQuery, SearchProductsQuery } from './dto/product-queries.js';
import { ProductPage, ProductView } from './dto/product-views.js';
import { ProductsService } from './products.service.js';

@ApiTags('products')
@Controller({ path: 'products', version: '1' })
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Get()
  @McpTool('list_products')
  @ApiOperation({ summary: 'List all products, page by page' })
  @ApiOkResponse({ type: ProductPage })
  list(@Query() query: ListProductsQuery): ProductPage {
    return this.products.list(query);
  }

  @Get('search')
  @McpTool('search_products')
  @ApiOperation({ summary: 'Find products by words, category, price and stock' })
  @ApiOkResponse({ type: ProductPage })
  search(@Query() query: SearchProductsQuery): ProductPage {
    return this.products.search(query);
  }

  /** No tool: models get version 2 of it, see `ProductsV2Controller`. */
  @Get(':sku')
  @ApiOperation({ summary: 'Fetch one product', deprecated: true })
  @ApiOkResponse({ type: ProductView })
  get(@Param() { sku }: ProductParams): ProductView {
    return this.products.get(sku);
  }

  @Post()
  @Roles(['admin'])
  @ApiOperation({ summary: 'Add a product to the range' })
  create(@Body() body: CreateProductDto): ProductView {
    return this.products.create(body);
  }

  @Patch(':sku')
  @Roles(['admin'])
  @ApiOperation({ summary: 'Change the text, category or price of a product' })
  update(@Param() { sku }: ProductParams, @Body() body: UpdateProductDto): ProductView {
    return this.products.update(sku, body);
  }

  @Delete(':sku')
  @HttpCode(204)
  @Roles(['admin'])
  @ApiOperation({ summary: 'Take a product out of the range' })
  remove(@Param() { sku }: ProductParams): void {
    this.products.remove(sku);
  }

  @Post(':sku/stock')
  @HttpCode(200)
  @Roles(['admin'])
  @McpTool({ name: 'adjust_stock', annotations: { destructiveHint: false } })
  @ApiOperation({
    summary: 'Correct the stock of a product',
    description: 'Adds to the stock, or takes from it. Only an admin may do this.',
  })
  @ApiOkResponse({ type: ProductView })
  adjustStock(@Param() { sku }: ProductParams, @Body() body: AdjustStockDto): ProductView {
    return this.products.adjustStock(sku, body);
  }
}
