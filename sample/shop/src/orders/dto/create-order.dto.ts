import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { AddressDto } from '../../customers/dto/address.dto.js';

export class OrderItemDto {
  @ApiProperty({ description: 'The stock keeping unit.', example: 'TEA-ASSAM-250' })
  @Matches(/^[A-Z0-9-]{3,32}$/)
  sku!: string;

  @ApiProperty({ type: 'integer', example: 2 })
  @IsInt()
  @Min(1)
  @Max(100)
  quantity!: number;
}

export class CreateOrderDto {
  @ApiProperty({ type: 'integer', description: 'Who orders.', example: 1 })
  @IsInt()
  @Min(1)
  customerId!: number;

  @ApiProperty({ type: [OrderItemDto] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ValidateNested({ each: true })
  @Type(() => OrderItemDto)
  items!: OrderItemDto[];

  @ApiPropertyOptional({ type: AddressDto, description: "The customer's own when left out." })
  @IsOptional()
  @ValidateNested()
  @Type(() => AddressDto)
  shippingAddress?: AddressDto;

  @ApiPropertyOptional({ description: 'For the people who pack it.' })
  @IsOptional()
  @IsString()
  @MaxLength(280)
  note?: string;
}
