import type { Customer } from './customer.js';

export const CUSTOMERS: readonly Customer[] = [
  {
    id: 1,
    name: 'Ada Lindqvist',
    email: 'ada@example.com',
    address: { line1: 'Storgatan 4', postalCode: '111 23', city: 'Stockholm', country: 'SE' },
  },
  {
    id: 2,
    name: 'Bruno Costa',
    email: 'bruno.costa@example.com',
    address: {
      line1: 'Rua das Flores 18',
      line2: '2.º Dto.',
      postalCode: '4050-262',
      city: 'Porto',
      country: 'PT',
    },
  },
  {
    id: 3,
    name: 'Chidi Okafor',
    email: 'chidi@example.org',
    address: { line1: '7 Quay Street', postalCode: 'BS1 4DJ', city: 'Bristol', country: 'GB' },
  },
];
