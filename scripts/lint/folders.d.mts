/** The table of `folders.mjs`, for the test that reads it. */
export declare const FOLDERS: Readonly<Record<string, { readonly reason: string }>>;
