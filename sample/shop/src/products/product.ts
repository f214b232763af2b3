export enum Category {
  Tea = 'tea',
  Coffee = 'coffee',
  Accessories = 'accessories',
}

export enum Availability {
  InStock = 'in_stock',
  LowStock = 'low_stock',
  SoldOut = 'sold_out',
}

export interface Product {
  readonly sku: string;
  name: string;
  description: string;
  category: Category;
  priceCents: number;
  stock: number;
}

const LOW_STOCK = 5;

export function availabilityOf({ stock }: Product): Availability {
  if (stock === 0) return Availability.SoldOut;
  return stock <= LOW_STOCK ? Availability.LowStock : Availability.InStock;
}
