import { ApiProperty } from '@nestjs/swagger';
import { PageInfo } from '../../common/pagination.js';
import { AddressDto } from './address.dto.js';

export class CustomerView {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty()
  name!: string;

  @ApiProperty({ description: 'Masked for everyone but an admin.', example: 'a***@example.com' })
  email!: string;

  @ApiProperty({ type: AddressDto })
  address!: AddressDto;
}

export class CustomerPage extends PageInfo {
  @ApiProperty({ type: [CustomerView] })
  items!: CustomerView[];
}
