import { IsInt, IsString, Length, Max, Min } from 'class-validator';

export class CreateOrderDto {
  @IsString() @Length(3, 20) sku!: string;
  @IsInt() @Min(1) @Max(99) quantity!: number;
}
