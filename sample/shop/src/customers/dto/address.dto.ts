import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO31661Alpha2, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';

export class AddressDto {
  @ApiProperty({ description: 'Street and number.', example: '7 Quay Street' })
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  line1!: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Floor, flat, care of.' })
  @IsOptional()
  @IsString()
  @MaxLength(100)
  line2?: string | null;

  @ApiProperty({ example: 'BS1 4DJ' })
  @IsString()
  @MinLength(2)
  @MaxLength(12)
  postalCode!: string;

  @ApiProperty({ example: 'Bristol' })
  @IsString()
  @MinLength(1)
  @MaxLength(80)
  city!: string;

  @ApiProperty({ description: 'Two letters, ISO 3166-1.', example: 'GB' })
  @IsISO31661Alpha2()
  country!: string;
}
