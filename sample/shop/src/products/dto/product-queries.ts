import { ApiPropertyOptional } from '@nestjs/swagger';
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
} from 'class-validator';
import { PageQuery } from '../../common/pagination.js';
import { Availability, Category } from '../product.js';

export enum ProductSort {
  Name = 'name',
  Price = 'price',
  Stock = 'stock',
}

export enum SortOrder {
  Ascending = 'asc',
  Descending = 'desc',
}

export class ListProductsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ProductSort, default: ProductSort.Name })
  @IsOptional()
  @IsEnum(ProductSort)
  sort: ProductSort = ProductSort.Name;

  @ApiPropertyOptional({ enum: SortOrder, default: SortOrder.Ascending })
  @IsOptional()
  @IsEnum(SortOrder)
  order: SortOrder = SortOrder.Ascending;
}

export class SearchProductsQuery extends ListProductsQuery {
  @ApiPropertyOptional({ description: 'Words of the name or the description.', example: 'beans' })
  @IsOptional()
  @IsString()
  @MaxLength(80)
  q?: string;

  @ApiPropertyOptional({
    enum: Category,
    isArray: true,
    description: 'Any of these.',
  })
  @IsOptional()
  @IsArray()
  @ArrayUnique()
  @IsEnum(Category, { each: true })
  category?: Category[];

  @ApiPropertyOptional({ type: 'integer', description: 'In euro cents.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  maxPriceCents?: number;

  @ApiPropertyOptional({ enum: Availability, isArray: true, description: 'Any of these.' })
  @IsOptional()
  @IsArray()
  @ArrayUnique()
  @IsEnum(Availability, { each: true })
  availability?: Availability[];
}
