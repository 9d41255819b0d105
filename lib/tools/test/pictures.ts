import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

/** Image files for tests: ordinary ones, and ones that no camera creates. */

export const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#c33" } });

/** With noise like a photo, so that it doesn't compress to almost nothing. */
export const photograph = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: "#999", noise: { type: "gaussian", mean: 128, sigma: 40 } },
  });

/**
 * 60 × 40 with an EXIF rotation: upright it is 40 × 60, red above, blue below. Its metadata has a location and a name.
 */
export async function rotatedPhoto(): Promise<Buffer> {
  const red = await sharp({ create: { width: 30, height: 40, channels: 3, background: "#f00" } })
    .png()
    .toBuffer();
  return sharp({ create: { width: 60, height: 40, channels: 3, background: "#00f" } })
    .composite([{ input: red, left: 0, top: 0 }])
    .jpeg()
    .withMetadata({
      orientation: 6,
      exif: { IFD0: { Artist: "Ann" }, IFD3: { GPSLatitude: "59/1 19/1 0/1" } },
    } as never)
    .toBuffer();
}

/** A complete PNG of side × side pixels, one bit each: 16,384 per side are 268 million pixels in 33 kB. */
export function decompressionBomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [head, tail] = [Buffer.alloc(4), Buffer.alloc(4)];
    head.writeUInt32BE(data.length);
    tail.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, tail]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8); // one bit per pixel, gray
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The header of a HEIC file as phones write it: one item of 640 × 480, coded as HEVC. */
export function heic(): Buffer {
  const box = (type: string, ...parts: (Buffer | number[] | string)[]) => {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(body.length + 8);
    return Buffer.concat([size, Buffer.from(type), body]);
  };
  const fullBox = (type: string, ...parts: (Buffer | number[] | string)[]) => box(type, [0, 0, 0, 0], ...parts);
  const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const data = Buffer.alloc(64, 1);
  const make = (offset: number) =>
    fullBox(
      "meta",
      fullBox("hdlr", u32(0), "pict", u32(0), u32(0), u32(0), [0]),
      fullBox("pitm", [0, 1]),
      fullBox("iloc", [0x44, 0, 0, 1], [0, 1, 0, 0, 0, 1], u32(offset), u32(data.length)),
      fullBox("iinf", [0, 1], box("infe", [2, 0, 0, 0], [0, 1, 0, 0], "hvc1", [0])),
      box(
        "iprp",
        box(
          "ipco",
          box("hvcC", [1, 1, ...Array<number>(10).fill(0), 30, 0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 3, 0]),
          fullBox("ispe", u32(640), u32(480)),
        ),
        fullBox("ipma", u32(1), [0, 1, 2, 0x81, 2]),
      ),
    );
  const type = box("ftyp", "heic", u32(0), "mif1", "heic");
  const offset = type.length + make(0).length + 8;
  return Buffer.concat([type, make(offset), box("mdat", data)]);
}
