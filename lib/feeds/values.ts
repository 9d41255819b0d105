/** Constants the browser needs, without the schemas. */

export const feedKinds = ["products", "orders"] as const;
export type FeedKind = (typeof feedKinds)[number];

/** Content of uploaded files; those of reviews are imported by their own page. */
export const uploadKinds = [...feedKinds, "reviews"] as const;
export type UploadKind = (typeof uploadKinds)[number];

export const uploadFormats = ["xml", "csv", "tsv", "json"] as const;

export const PART_BYTES = 4 * 1024 * 1024;
/** Maximum parts of one upload: 2 GiB in total. */
export const MAX_PARTS = 512;
