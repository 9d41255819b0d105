import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type TranslationRequest = { q: string[]; source: string; target: string; format: string; api_key?: string };

/**
 * A LibreTranslate server that has German, English and Swedish (or any language), and puts the target language before
 * each text.
 */
export class TranslationFake {
  readonly requests: TranslationRequest[] = [];
  /** the next responses instead of a translation; `error` has status 400 */
  readonly trouble: (number | "hang up" | "not json" | "too few" | { error: string })[] = [];
  readonly #key: string | undefined;
  readonly #server: Server;

  constructor({ key, anyLanguage = false }: { key?: string; anyLanguage?: boolean } = {}) {
    this.#key = key;
    this.#server = createServer(async (request, response) => {
      const answer = (status: number, body: unknown) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      };
      const body = await text(request);
      if (request.method !== "POST" || request.url !== "/translate") return answer(404, { error: "Not found" });
      const given = JSON.parse(body) as TranslationRequest;
      this.requests.push(given);
      const trouble = this.trouble.shift();
      if (trouble === "hang up") return void request.socket.destroy();
      if (trouble === "not json") return answer(200, "<html>");
      if (trouble === "too few") return answer(200, { translatedText: [] });
      if (typeof trouble === "object") return answer(400, trouble);
      if (trouble) return answer(trouble, { error: "failure requested by the test" });
      if (this.#key !== undefined && given.api_key !== this.#key) return answer(403, { error: "Invalid API key" });
      for (const lang of [given.source, given.target])
        if (!anyLanguage && !["auto", "de", "en", "sv"].includes(lang))
          return answer(400, { error: `${lang} is not supported` });
      answer(200, { translatedText: given.q.map((one) => `${given.target}: ${one}`) });
    });
  }

  /** Starts the server. Returns its address. */
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
