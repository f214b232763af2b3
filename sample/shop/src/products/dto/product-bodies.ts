import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import {
  IsEnum,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  NotEquals,
} from 'class-validator';
import { Category } from '../product.js';

export class CreateProductDto {
  @ApiProperty({ example: 'TEA-SENCHA-100' })
  @Matches(/^[A-Z0-9-]{3,32}$/)
  sku!: string;

  @ApiProperty()
  @IsString()
  @MinLength(1)
  @MaxLength(80)
  name!: string;

  @ApiProperty()
  @IsString()
  @MaxLength(500)
  description!: string;

  @ApiProperty({ enum: Category })
  @IsEnum(Category)
  category!: Category;

  @ApiProperty({ type: 'integer', description: 'In euro cents.' })
  @IsInt()
  @Min(1)
  @Max(10_000_000)
  priceCents!: number;

  @ApiProperty({ type: 'integer' })
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  stock!: number;
}

/** Stock is changed by `POST :sku/stock` alone, which says why. */
export class UpdateProductDto extends PartialType(
  OmitType(CreateProductDto, ['sku', 'stock'] as const),
  { skipNullProperties: false },
) {}

export class AdjustStockDto {
  @ApiProperty({
    type: 'integer',
    description: 'What to add; negative to take away.',
    example: -2,
  })
  @IsInt()
  @Min(-1000)
  @Max(1000)
  @NotEquals(0)
  delta!: number;

  @ApiProperty({ description: 'Why, for the stock ledger.', example: 'damaged in the warehouse' })
  @IsString()
  @MinLength(3)
  @MaxLength(200)
  reason!: string;
}
