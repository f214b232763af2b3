import { Injectable } from '@nestjs/common';
import type { Product } from './product.js';
import { PRODUCTS } from './products.seed.js';

@Injectable()
export class ProductsRepository {
  private readonly products = new Map(
    PRODUCTS.map((product) => [product.sku, structuredClone(product)]),
  );

  all(): Product[] {
    return [...this.products.values()];
  }

  find(sku: string): Product | undefined {
    return this.products.get(sku);
  }

  save(product: Product): Product {
    this.products.set(product.sku, product);
    return product;
  }

  remove(sku: string): boolean {
    return this.products.delete(sku);
  }
}
