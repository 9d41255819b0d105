/**
 * Tags that make a browser or server take bytes for a page or program. The short ones count with what must follow them:
 * among the millions of bytes of a photo one in some hundred has `<svg` by chance.
 */
const markup =
  /<(?:(?:script|iframe|!doctype)\b|html[\s>]|\?php\s|svg[\s/][^<>]{0,500}?(?:xmlns|on[a-z]{1,30})\s{0,9}=|svg\s{0,9}>\s{0,99}<[a-z])/i;

/** Longest comment at the end of a ZIP archive, and the record before it. */
const ZIP_END = 22;
const ZIP_COMMENT = 0xffff;

/**
 * Whether the bytes of an image are something else as well: a page, a program, a PDF or an archive hidden in it. Encoded
 * anew nothing of that would be left, but no honest photo has it, and originals of imports are kept as they are.
 */
export function isPolyglot(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return markup.test(file.toString("latin1")) || isPdf(file) || isZip(file);
}

/** Readers look for its mark within the first kilobyte. */
const isPdf = (file: Buffer): boolean => file.subarray(0, 1024).includes("%PDF-");

/** An archive is told by its end: a record whose comment reaches to the last byte. */
function isZip(file: Buffer): boolean {
  const from = Math.max(0, file.length - ZIP_END - ZIP_COMMENT);
  const mark = Buffer.from("PK\x05\x06", "latin1");
  for (let at = file.indexOf(mark, from); at >= 0 && at + ZIP_END <= file.length; at = file.indexOf(mark, at + 1)) {
    if (at + ZIP_END + file.readUInt16LE(at + 20) === file.length) return true;
  }
  return false;
}
