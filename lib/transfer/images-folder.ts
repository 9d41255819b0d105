/** The folder beside a file of reviews that holds their pictures, each named by its token: `reviews.jsonl.images`. */
export const imagesFolderOf = (file: string): string => `${file}.images`;
