import { ApiProperty } from '@nestjs/swagger';
import { PageInfo } from '../../common/pagination.js';
import { Availability, Category } from '../product.js';

export class ProductView {
  @ApiProperty()
  sku!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ enum: Category })
  category!: Category;

  @ApiProperty({ type: 'integer', description: 'In euro cents.' })
  priceCents!: number;

  @ApiProperty({ type: 'integer', description: 'Pieces in the warehouse.' })
  stock!: number;
}

export class ProductPage extends PageInfo {
  @ApiProperty({ type: [ProductView] })
  items!: ProductView[];
}

export class Money {
  @ApiProperty({ type: 'integer', description: 'In the smallest unit of the currency.' })
  amount!: number;

  @ApiProperty({ example: 'EUR' })
  currency!: string;
}

/** Version 2: the price says its currency, and the exact stock is no longer told. */
export class ProductViewV2 {
  @ApiProperty()
  sku!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ enum: Category })
  category!: Category;

  @ApiProperty({ type: Money })
  price!: Money;

  @ApiProperty({ enum: Availability })
  availability!: Availability;
}
