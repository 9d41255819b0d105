import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

const TXT = 16;
const NXDOMAIN = 3;
const SERVFAIL = 2;

/**
 * A DNS server with TXT records by name; `fails` are names it can't answer. `queries` are the names it was asked for.
 * Other names don't exist.
 */
export async function startDnsFake(records: Record<string, string[]>, fails: string[] = []) {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  socket.on("message", (query: Buffer, from: RemoteInfo) => {
    const { name, end } = readName(query, 12);
    queries.push(name);
    const texts = query.readUInt16BE(end) === TXT ? (records[name] ?? []) : [];
    const code = fails.includes(name) ? SERVFAIL : name in records ? 0 : NXDOMAIN;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(texts.length, 6);
    header.writeUInt32BE(0, 8); // no authority, no additional records
    const question = query.subarray(12, end + 4);
    socket.send(Buffer.concat([header, question, ...texts.map(answer)]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: async () => {
      socket.close();
      await once(socket, "close");
    },
  };
}

function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

/** A TXT record of the question's name, in parts of at most 255 bytes. */
function answer(text: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length; at += 255) {
    const part = Buffer.from(text.slice(at, at + 255), "latin1");
    parts.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(parts);
  // A pointer to the name in the question; class IN; a minute.
  const head = Buffer.from([0xc0, 12, 0, TXT, 0, 1, 0, 0, 0, 60, data.length >> 8, data.length & 0xff]);
  return Buffer.concat([head, data]);
}
