/** The folder with the images of a review file, each named by its token: `reviews.jsonl.images`. */
export const imagesFolderOf = (file: string): string => `${file}.images`;
