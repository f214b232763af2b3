import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import type { User } from '../auth/user.js';
import { type Page, paginate } from '../common/pagination.js';
import type { Address, Customer } from './customer.js';
import { CustomersRepository } from './customers.repository.js';
import type { CreateCustomerDto, FindCustomersQuery } from './dto/customer-requests.js';

@Injectable()
export class CustomersService {
  constructor(private readonly customers: CustomersRepository) {}

  find(query: FindCustomersQuery, reader: User): Page<Customer> {
    const name = query.name?.toLowerCase() ?? '';
    const email = query.email?.toLowerCase();
    const matching = this.customers
      .all()
      .filter((customer) => customer.name.toLowerCase().includes(name))
      .filter((customer) => email === undefined || customer.email === email);
    const page = paginate(matching, query);
    return { ...page, items: page.items.map((customer) => asSeenBy(reader, customer)) };
  }

  get(id: number): Customer {
    const customer = this.customers.find(id);
    if (!customer) throw new NotFoundException(`There is no customer ${id}`);
    return customer;
  }

  view(id: number, reader: User): Customer {
    return asSeenBy(reader, this.get(id));
  }

  create(dto: CreateCustomerDto): Customer {
    const email = dto.email.toLowerCase();
    if (this.customers.all().some((customer) => customer.email === email)) {
      throw new ConflictException({ code: 'EMAIL_TAKEN', message: 'This customer exists already' });
    }
    return this.customers.add({ ...dto, email });
  }

  updateAddress(id: number, address: Address, reader: User): Customer {
    return asSeenBy(reader, this.customers.save({ ...this.get(id), address }));
  }

  remove(id: number): void {
    this.get(id);
    this.customers.remove(id);
  }
}

/** Whoever is not an admin, a model that works for them included, sees no whole e-mail address. */
function asSeenBy({ role }: User, customer: Customer): Customer {
  if (role === 'admin') return customer;
  return { ...customer, email: customer.email.replace(/^(.).*@/, '$1***@') };
}
