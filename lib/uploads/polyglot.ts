/** Tags that make a browser or server take bytes for a page or program, however they go on. */
const markup = /<(?:script|html|svg|iframe|!doctype|\?php)\b/i;

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
