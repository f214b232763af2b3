import { Injectable } from '@nestjs/common';
import type { Customer } from './customer.js';
import { CUSTOMERS } from './customers.seed.js';

@Injectable()
export class CustomersRepository {
  private readonly customers = new Map(
    CUSTOMERS.map((customer) => [customer.id, structuredClone(customer)]),
  );
  private nextId = CUSTOMERS.length + 1;

  all(): Customer[] {
    return [...this.customers.values()];
  }

  find(id: number): Customer | undefined {
    return this.customers.get(id);
  }

  add(customer: Omit<Customer, 'id'>): Customer {
    return this.save({ id: this.nextId++, ...customer });
  }

  save(customer: Customer): Customer {
    this.customers.set(customer.id, customer);
    return customer;
  }

  remove(id: number): boolean {
    return this.customers.delete(id);
  }
}
