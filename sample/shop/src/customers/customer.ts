export interface Address {
  line1: string;
  line2?: string | null;
  postalCode: string;
  city: string;
  /** ISO 3166-1, two letters. */
  country: string;
}

export interface Customer {
  readonly id: number;
  name: string;
  email: string;
  address: Address;
}
