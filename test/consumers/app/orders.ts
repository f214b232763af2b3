import {
  Body,
  Controller,
  Get,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
} from '@nestjs/common';
import { IsInt, IsString, Min } from 'class-validator';
import { McpModule, McpTool, McpToolOnly } from 'nestjs-mcp-routes';

class OrderDto {
  @IsString() sku!: string;
  @IsInt() @Min(1) quantity!: number;
}

@Controller('orders')
class OrdersController {
  @Get(':id')
  @McpTool('get_order')
  find(@Param('id', ParseIntPipe) id: number): object {
    if (id === 404) throw new NotFoundException('order 404');
    return { id, status: 'open' };
  }

  @Post()
  @McpTool('create_order')
  create(@Body() order: OrderDto): object {
    return { id: 8, ...order };
  }

  @McpTool('count_orders')
  @McpToolOnly()
  count(): object {
    return { count: 8 };
  }
}

@Module({
  imports: [McpModule.forRoot({ name: 'consumer', version: '1.0.0' })],
  controllers: [OrdersController],
})
export class AppModule {}
