import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

export class PageQuery {
  @ApiPropertyOptional({ type: 'integer', default: 1, description: 'Counted from 1.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page = 1;

  @ApiPropertyOptional({ type: 'integer', default: 20, description: 'Entries on a page.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  pageSize = 20;
}

/** What every list answers beside its `items`. */
export class PageInfo {
  @ApiProperty({ type: 'integer' })
  page!: number;

  @ApiProperty({ type: 'integer' })
  pageSize!: number;

  @ApiProperty({ type: 'integer', description: 'Entries on all pages together.' })
  total!: number;
}

export interface Page<T> extends PageInfo {
  items: T[];
}

export function paginate<T>(all: readonly T[], { page, pageSize }: PageQuery): Page<T> {
  const start = (page - 1) * pageSize;
  return { items: all.slice(start, start + pageSize), page, pageSize, total: all.length };
}
