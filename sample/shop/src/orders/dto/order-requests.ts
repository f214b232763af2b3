import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayUnique,
  IsArray,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { PageQuery } from '../../common/pagination.js';
import { OrderStatus } from '../order.js';

export class ListOrdersQuery extends PageQuery {
  @ApiPropertyOptional({ enum: OrderStatus, isArray: true, description: 'In any of these states.' })
  @IsOptional()
  @IsArray()
  @ArrayUnique()
  @IsEnum(OrderStatus, { each: true })
  status?: OrderStatus[];

  @ApiPropertyOptional({ type: 'integer', description: 'Of this customer only.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  customerId?: number;
}

export enum CancelReason {
  CustomerRequest = 'customer_request',
  PaymentFailed = 'payment_failed',
  Fraud = 'fraud',
}

export class CancelOrderDto {
  @ApiProperty({ enum: CancelReason })
  @IsEnum(CancelReason)
  reason!: CancelReason;
}

export class AddNoteDto {
  @ApiProperty({ example: 'Please leave it with the neighbour.' })
  @IsString()
  @MinLength(1)
  @MaxLength(280)
  text!: string;
}

export class RefundOrderDto {
  @ApiPropertyOptional({
    type: 'integer',
    description: 'In euro cents; all that is left when left out.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  amountCents?: number;

  @ApiProperty({ example: 'arrived broken' })
  @IsString()
  @MinLength(3)
  @MaxLength(200)
  reason!: string;
}
