/** `support` answers customers; `admin` may also move money and stock. */
export type Role = 'support' | 'admin';

export interface User {
  readonly name: string;
  readonly role: Role;
}
