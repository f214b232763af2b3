export enum Category {
  Tea = 'tea',
  Coffee = 'coffee',
  Accessories = 'accessories',
}

export interface Product {
  readonly sku: string;
  name: string;
  description: string;
  category: Category;
  priceCents: number;
  stock: number;
}
