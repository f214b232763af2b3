import { Transform } from 'class-transformer';

/** A query parameter that may be given once or repeatedly: always a list afterwards. */
export const ToArray = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === undefined ? value : [value].flat()));

/** `true` and `false` as a query string writes them; anything else is left for the validator. */
export const ToBoolean = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
