import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PageInfo } from '../../common/pagination.js';
import { AddressDto } from '../../customers/dto/address.dto.js';
import { type Order, OrderStatus, totalCents } from '../order.js';

export class OrderLineView {
  @ApiProperty()
  sku!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: 'integer' })
  quantity!: number;

  @ApiProperty({ type: 'integer', description: 'In euro cents.' })
  unitPriceCents!: number;
}

export class OrderNoteView {
  @ApiProperty({ description: 'Who wrote it.' })
  author!: string;

  @ApiProperty()
  text!: string;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;
}

export class OrderView {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  customerId!: number;

  @ApiProperty({ enum: OrderStatus })
  status!: OrderStatus;

  @ApiProperty({ format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: [OrderLineView] })
  lines!: readonly OrderLineView[];

  @ApiProperty({ type: 'integer', description: 'In euro cents.' })
  totalCents!: number;

  @ApiProperty({ type: 'integer', description: 'In euro cents.' })
  refundedCents!: number;

  @ApiProperty({ type: AddressDto })
  shippingAddress!: AddressDto;

  @ApiProperty({ type: [OrderNoteView] })
  notes!: readonly OrderNoteView[];

  @ApiPropertyOptional()
  cancelReason?: string;

  static of(order: Order): OrderView {
    return { ...order, totalCents: totalCents(order.lines) };
  }
}

export class OrderPage extends PageInfo {
  @ApiProperty({ type: [OrderView] })
  items!: OrderView[];
}
