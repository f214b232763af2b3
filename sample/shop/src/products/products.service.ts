import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { type Page, paginate } from '../common/pagination.js';
import type { AdjustStockDto, CreateProductDto, UpdateProductDto } from './dto/product-bodies.js';
import {
  type ListProductsQuery,
  ProductSort,
  type SearchProductsQuery,
  SortOrder,
} from './dto/product-queries.js';
import { availabilityOf, type Product } from './product.js';
import { ProductsRepository } from './products.repository.js';

const COMPARE: Record<ProductSort, (a: Product, b: Product) => number> = {
  [ProductSort.Name]: (a, b) => a.name.localeCompare(b.name, 'en'),
  [ProductSort.Price]: (a, b) => a.priceCents - b.priceCents,
  [ProductSort.Stock]: (a, b) => a.stock - b.stock,
};

@Injectable()
export class ProductsService {
  constructor(private readonly products: ProductsRepository) {}

  list(query: ListProductsQuery): Page<Product> {
    return paginate(sorted(this.products.all(), query), query);
  }

  search(query: SearchProductsQuery): Page<Product> {
    const matching = this.products.all().filter((product) => matches(product, query));
    return paginate(sorted(matching, query), query);
  }

  get(sku: string): Product {
    const product = this.products.find(sku);
    if (!product) throw new NotFoundException(`There is no product ${sku}`);
    return product;
  }

  create(dto: CreateProductDto): Product {
    if (this.products.find(dto.sku)) {
      throw new ConflictException({ code: 'SKU_TAKEN', message: `${dto.sku} exists already` });
    }
    return this.products.save({ ...dto });
  }

  update(sku: string, changes: UpdateProductDto): Product {
    return this.products.save({ ...this.get(sku), ...changes });
  }

  remove(sku: string): void {
    this.get(sku);
    this.products.remove(sku);
  }

  adjustStock(sku: string, { delta }: Pick<AdjustStockDto, 'delta'>): Product {
    const product = this.get(sku);
    const stock = product.stock + delta;
    if (stock < 0) {
      throw new ConflictException({
        code: 'OUT_OF_STOCK',
        message: `Only ${product.stock} of ${sku} are in stock`,
        details: { sku, inStock: product.stock, asked: -delta },
      });
    }
    return this.products.save({ ...product, stock });
  }

  /** Puts back what an order had reserved, unless the product has left the range since. */
  restock(sku: string, quantity: number): void {
    const product = this.products.find(sku);
    if (product) this.products.save({ ...product, stock: product.stock + quantity });
  }
}

function sorted(products: Product[], { sort, order }: ListProductsQuery): Product[] {
  const direction = order === SortOrder.Descending ? -1 : 1;
  return products.sort((a, b) => direction * COMPARE[sort](a, b));
}

function matches(product: Product, query: SearchProductsQuery): boolean {
  const text = `${product.name} ${product.description}`.toLowerCase();
  const words = query.q?.toLowerCase().split(/\s+/) ?? [];
  return (
    words.every((word) => text.includes(word)) &&
    (query.category?.includes(product.category) ?? true) &&
    product.priceCents <= (query.maxPriceCents ?? Infinity) &&
    (query.availability?.includes(availabilityOf(product)) ?? true)
  );
}
