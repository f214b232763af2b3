import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { McpTool } from 'nestjs-mcp-routes';
import { CurrentUser, Roles } from '../auth/auth.decorators.js';
import type { User } from '../auth/user.js';
import { CustomersService } from './customers.service.js';
import { AddressDto } from './dto/address.dto.js';
import { CreateCustomerDto, FindCustomersQuery } from './dto/customer-requests.js';
import { CustomerPage, CustomerView } from './dto/customer-views.js';

const CustomerId = (): MethodDecorator =>
  ApiParam({ name: 'id', type: 'integer', description: "The customer's number.", example: 1 });

@ApiTags('customers')
@Controller({ path: 'customers', version: '1' })
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Get()
  @McpTool('find_customers')
  @ApiOperation({ summary: 'Find customers by name or e-mail address' })
  @ApiOkResponse({ type: CustomerPage })
  find(@Query() query: FindCustomersQuery, @CurrentUser() user: User): CustomerPage {
    return this.customers.find(query, user);
  }

  @Get(':id')
  @McpTool('get_customer')
  @CustomerId()
  @ApiOperation({ summary: 'Fetch one customer' })
  @ApiOkResponse({ type: CustomerView })
  get(@Param('id', ParseIntPipe) id: number, @CurrentUser() user: User): CustomerView {
    return this.customers.view(id, user);
  }

  @Post()
  @Roles(['admin'])
  @ApiOperation({ summary: 'Register a customer' })
  create(@Body() body: CreateCustomerDto): CustomerView {
    return this.customers.create(body);
  }

  @Put(':id/address')
  @McpTool({ name: 'update_customer_address', title: "Update a customer's address" })
  @CustomerId()
  @ApiOperation({ summary: 'Replace the address that new orders of a customer are sent to' })
  @ApiOkResponse({ type: CustomerView })
  updateAddress(
    @Param('id', ParseIntPipe) id: number,
    @Body() address: AddressDto,
    @CurrentUser() user: User,
  ): CustomerView {
    return this.customers.updateAddress(id, address, user);
  }

  /** Erasure is for a person to decide: a route, but no tool. */
  @Delete(':id')
  @HttpCode(204)
  @Roles(['admin'])
  @CustomerId()
  @ApiOperation({ summary: 'Erase a customer' })
  remove(@Param('id', ParseIntPipe) id: number): void {
    this.customers.remove(id);
  }
}
