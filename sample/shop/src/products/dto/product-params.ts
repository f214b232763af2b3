import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';

export class ProductParams {
  @ApiProperty({ description: 'The stock keeping unit.', example: 'TEA-SENCHA-100' })
  @Matches(/^[A-Z0-9-]{3,32}$/)
  sku!: string;
}
