import { randomUUID } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type Json, validatePayload } from "./engagement-schema";

/**
 * How one response fails. `after`: the platform did the work, but its response is lost; a `status` with `after` is a
 * 5xx after the work; `slow` does the work right away and responds late. `says` is the error message, `id` the
 * response's name for a created id.
 */
export type EngagementFailure =
  | { status: number; after?: boolean; retryAfter?: number; html?: boolean; message?: string; id?: string }
  | "cut"
  | "cut after"
  | "never answer"
  | { slow: number }
  | "slow body";

export type EngagementModes = {
  /** the status of a creation: 200 or 201 */
  createdStatus: 200 | 201;
  /** whether Interactions, a separate product, is enabled */
  interactions: boolean;
  /** calls per second; above it 429 */
  rate: number;
  /** attributes created in the tenant; others are ignored with a success response */
  attributes: string[];
  /** interactions per page */
  pageSize: number;
};

export type Contact = {
  id: string;
  type: string;
  email: string | null;
  customKey: string | null;
  attributes: Record<string, unknown>;
};
export type Interaction = {
  id: string;
  contactId: string;
  schemaId: string;
  createdDate: string;
  payload: Json;
};
type Schema = { id: string; displayName: string; jsonSchema: Json };

export const engagementKey = "engagement-fake-key-1";
const defaultAttributes = ["reviewLatest", "reviewLatestValue", "reviewAverageGrade"];
const MAX_SCHEMAS = 15;

class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details?: Json,
  ) {
    super(message);
  }
}

/**
 * A tenant of the engagement platform over HTTP, limited to contacts, interaction schemas and interactions. It is
 * strict: headers, key, schemas and rate are checked, nothing is idempotent, unknown attributes are dropped and nulls
 * clear values. Switches simulate failures before and after the work.
 */
export class EngagementFake {
  readonly contacts = new Map<string, Contact>();
  readonly schemas = new Map<string, Schema>();
  readonly interactions = new Map<string, Interaction>();
  readonly modes: EngagementModes;
  /** failures of the next responses, in order; null: none */
  readonly failures: (EngagementFailure | null)[] = [];
  /** the failure of a call, checked after `failures` */
  failureFor: ((n: number) => EngagementFailure | null) | null = null;
  readonly requests: {
    line: string;
    at: number;
    status: number;
    body: unknown;
  }[] = [];
  /** the most calls within any second */
  peakRate = 0;
  #server = http.createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) => {
      // Invalid JSON or URL: the sender's error, which must not stop the fake server.
      if (!response.headersSent) response.writeHead(400, { "Content-Type": "text/plain; charset=utf-8" });
      response.end(`${error}\n`);
    });
  });

  constructor(modes: Partial<EngagementModes> = {}) {
    this.modes = {
      createdStatus: 201,
      interactions: true,
      rate: 200,
      attributes: [...defaultAttributes],
      pageSize: 50,
      ...modes,
    };
  }

  /** Returns the tenant's URL. */
  async listen(port = 0): Promise<string> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  addContact(given: Partial<Contact> = {}): Contact {
    const contact = {
      id: randomUUID(),
      type: "Member",
      email: null,
      customKey: null,
      attributes: {},
      ...given,
    };
    this.contacts.set(contact.id, contact);
    return contact;
  }

  /** The interactions of a contact, oldest first. */
  interactionsOf(contactId: string): Interaction[] {
    return [...this.interactions.values()].filter((one) => one.contactId === contactId);
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request);
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    if (url.pathname.startsWith("/_fake/"))
      return this.#handleControl(request.method ?? "", url.pathname.slice("/_fake/".length), body, response);
    const at = performance.now();
    const entry = {
      line: `${request.method} ${decodeURIComponent(url.pathname + url.search)}`,
      at,
      status: 0,
      body: parseJson(body),
    };
    this.requests.push(entry);
    let within = 0;
    for (let index = this.requests.length - 1; index >= 0 && (this.requests[index]?.at ?? 0) > at - 1_000; index -= 1)
      within += 1;
    this.peakRate = Math.max(this.peakRate, within);
    const answer = (status: number, json?: unknown) => {
      entry.status = status;
      response.writeHead(status, {
        "Content-Type": "application/json; charset=utf-8",
      });
      response.end(json === undefined ? undefined : JSON.stringify(json));
    };
    if (within > this.modes.rate) return answer(429, { message: "Too many requests" });
    const failure = this.failures.length > 0 ? this.failures.shift() : this.failureFor?.(this.requests.length);
    if (failure === "cut") return void request.socket.destroy();
    if (failure && typeof failure === "object" && "status" in failure && !failure.after) {
      entry.status = failure.status;
      const headers = failure.retryAfter === undefined ? {} : { "Retry-After": String(failure.retryAfter) };
      response.writeHead(failure.status, {
        "Content-Type": failure.html ? "text/html" : "application/json",
        ...headers,
      });
      return void response.end(
        failure.html
          ? "<html><h1>Service unavailable</h1></html>"
          : JSON.stringify({ message: failure.message, id: failure.id }),
      );
    }
    const [status, json] = this.#respond(request, url, entry.body);
    if (failure === "cut after") return void request.socket.destroy();
    if (failure === "never answer") return; // the work is done, but the response is lost
    if (failure && typeof failure === "object" && "status" in failure) return answer(failure.status, {});
    if (failure && typeof failure === "object") await sleep(failure.slow);
    if (failure !== "slow body") return answer(status, json);
    entry.status = status;
    const sent = JSON.stringify(json) ?? "";
    response.writeHead(status, {
      "Content-Type": "application/json; charset=utf-8",
    });
    response.write(sent.slice(0, 1));
    await sleep(300);
    response.end(sent.slice(1));
  }

  #respond(request: http.IncomingMessage, url: URL, body: unknown): [number, unknown?] {
    try {
      this.#checkHeaders(request.headers);
      return this.#route(request.method ?? "", url, body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, details } = error;
      return [
        status,
        {
          errorCode: code,
          message,
          ...(details && { messageDetails: details }),
        },
      ];
    }
  }

  #checkHeaders(headers: http.IncomingHttpHeaders): void {
    if (!/^application\/json\b/.test(headers["content-type"] ?? ""))
      throw new ApiError(500, "", "An error has occurred");
    if (headers.apikey !== engagementKey) throw new ApiError(401, "Unauthorized", "The API key is not valid.");
    if (!/^[^\s/]+\/\d+(\.\d+)*$/.test(headers["user-agent"] ?? ""))
      throw new ApiError(400, "InvalidUserAgent", "User-Agent must name system and version.");
  }

  #route(method: string, url: URL, body: unknown): [number, unknown?] {
    const [, place = ""] = /^\/api\/v3\/(.+)$/.exec(url.pathname) ?? [];
    const [what = "", id, more] = place.split("/").map(decodeURIComponent);
    const call = `${method} ${what}${id === undefined ? "" : "/"}`;
    if (more === undefined && what === "contacts") {
      if (call === "GET contacts/" && id === "count") return [200, this.contacts.size];
      if (call === "GET contacts/" && id === "id") return [200, this.#findContact(url.searchParams)];
      if (call === "GET contacts/") return [200, contactJson(this.#getContact(id))];
      if (call === "PATCH contacts/") return [200, contactJson(this.#update(id, body))];
    }
    if (more === undefined && what.startsWith("interaction")) {
      if (!this.modes.interactions) throw new ApiError(403, "FeatureNotEnabled", "Interactions is not enabled.");
      if (call === "GET interactionschemas")
        return [
          200,
          [...this.schemas.values()].map(({ id: own, displayName }) => ({
            id: own,
            displayName,
          })),
        ];
      if (call === "GET interactionschemas/") return [200, this.#schema(id)];
      if (call === "POST interactionschemas") return [this.modes.createdStatus, this.#addSchema(body)];
      if (call === "DELETE interactionschemas/") return [204, this.#removeSchema(id)];
      if (call === "GET interactions") return [200, this.#listInteractions(url)];
      if (call === "POST interactions") return [this.modes.createdStatus, this.#addInteraction(body)];
      if (call === "GET interactions/") return [200, this.#interaction(id)];
      if (call === "DELETE interactions/") {
        this.interactions.delete(this.#interaction(id).id);
        return [204];
      }
    }
    throw new ApiError(404, "NotFound", "No resource was found.");
  }

  #findContact(query: URLSearchParams): string {
    const [name, value] = [...query].find(([key]) => key !== "contactType") ?? ["", ""];
    if (name !== "email" && name !== "customKey")
      throw new ApiError(400, "InvalidSearchQuery", "There is nothing to look for.");
    if (name === "email" && !/^[^@\s]+@[^@\s]+$/.test(value))
      throw new ApiError(400, "InvalidEmailAddress", "That is no email address.");
    const type = query.get("contactType");
    const matches = (own: string | null) =>
      name === "email" ? own?.toLowerCase() === value.toLowerCase() : own === value;
    const found = [...this.contacts.values()].filter(
      (one) => matches(one[name]) && (type === null || one.type === type),
    );
    if (found.length > 1)
      throw new ApiError(409, "MultipleMatches", "Several contacts match.", {
        multipleMatchesFound: found.map((one) => one.id),
      });
    if (!found[0]) throw new ApiError(404, "ContactNotFound", "No contact was found.");
    return found[0].id;
  }

  #getContact(id = ""): Contact {
    const contact = this.contacts.get(id);
    if (!contact) throw new ApiError(404, "ContactNotFound", "No contact was found.");
    return contact;
  }

  /** Nulls and empty texts overwrite. Unknown attributes are ignored with a success response. */
  #update(id: string | undefined, body: unknown): Contact {
    const contact = this.#getContact(id);
    for (const [name, value] of Object.entries(objectOf(body)))
      if (this.modes.attributes.includes(name)) contact.attributes[name] = value === "" ? null : value;
    return contact;
  }

  #schema(id = ""): Schema {
    const schema = this.schemas.get(id);
    if (!schema) throw new ApiError(404, "InteractionSchemaNotFound", "There is no such schema.");
    return schema;
  }

  #addSchema(body: unknown): Json {
    const { id, displayName, jsonSchema } = objectOf(body);
    if (typeof id !== "string" || !/^[\w-]+$/.test(id))
      throw new ApiError(400, "InvalidSchemaId", "The id is not valid.");
    if (typeof displayName !== "string") throw new ApiError(400, "InvalidSchema", "displayName is required.");
    const properties = objectOf(objectOf(jsonSchema).properties);
    for (const property of Object.values(properties))
      for (const flag of ["showInContactCard", "addToSegmentation"]) {
        const value = objectOf(property)[flag];
        if (value !== undefined && value !== "true" && value !== "false")
          throw new ApiError(400, "InvalidSchema", `${flag} must be "true" or "false".`);
      }
    if (Object.values(properties).filter((one) => objectOf(one).addToSegmentation === "true").length > 6)
      throw new ApiError(400, "InvalidSchema", "At most six properties can be segmented by.");
    if (this.schemas.has(id))
      throw new ApiError(409, "InteractionSchemaAlreadyExists", "There is such a schema already.");
    if (this.schemas.size >= MAX_SCHEMAS)
      throw new ApiError(400, "TooManySchemas", "There are fifteen schemas already.");
    this.schemas.set(id, { id, displayName, jsonSchema: objectOf(jsonSchema) });
    return {
      id,
      self: {
        href: `/api/v3/interactionschemas/${id}`,
        created: new Date().toISOString(),
      },
    };
  }

  #removeSchema(id: string | undefined): void {
    const schema = this.#schema(id);
    this.schemas.delete(schema.id);
    for (const one of this.interactions.values()) if (one.schemaId === schema.id) this.interactions.delete(one.id);
  }

  #addInteraction(body: unknown): Json {
    const { schemaId, contactId, createdDate, payload } = objectOf(body);
    const schema = this.#schema(String(schemaId));
    const contact = this.#getContact(String(contactId));
    if (createdDate !== undefined && Number.isNaN(Date.parse(String(createdDate))))
      throw new ApiError(400, "InvalidCreatedDate", "createdDate is not a moment.");
    const issue = validatePayload(schema.jsonSchema, payload);
    if (issue) throw new ApiError(400, "InvalidPayload", issue);
    const created = createdDate === undefined ? new Date().toISOString() : String(createdDate);
    const id = randomUUID();
    this.interactions.set(id, {
      id,
      contactId: contact.id,
      schemaId: schema.id,
      createdDate: created,
      payload: objectOf(payload),
    });
    return {
      id,
      self: {
        contactId: contact.id,
        href: `/api/v3/interactions/${id}`,
        created,
      },
    };
  }

  #interaction(id = ""): Interaction {
    const one = this.interactions.get(id);
    if (!one) throw new ApiError(404, "InteractionNotFound", "There is no such interaction.");
    return one;
  }

  #listInteractions(url: URL): Json {
    const [contactId, schemaId] = [url.searchParams.get("contactId"), url.searchParams.get("schemaId")];
    if (!contactId || !schemaId) throw new ApiError(400, "InvalidSearchQuery", "contactId and schemaId are required.");
    this.#getContact(contactId);
    const all = this.interactionsOf(contactId).filter((one) => one.schemaId === schemaId);
    const from = Number(url.searchParams.get("continuation") ?? "0");
    const links = [{ href: url.pathname + url.search, method: "GET", rel: "self" }];
    if (all.length > from + this.modes.pageSize) {
      const next = new URL(url);
      next.searchParams.set("continuation", String(from + this.modes.pageSize));
      links.push({ href: next.href, method: "GET", rel: "next" });
    }
    return { items: all.slice(from, from + this.modes.pageSize), links };
  }

  /** For manual use of the fake server: `GET state`, `PUT modes`, `POST trouble`, `POST contacts`. */
  #handleControl(method: string, place: string, body: string, response: http.ServerResponse): void {
    const input = body === "" ? {} : JSON.parse(body);
    if (method === "PUT" && place === "modes") Object.assign(this.modes, input);
    else if (method === "POST" && place === "trouble") this.failures.push(...[input].flat());
    else if (method === "POST" && place === "contacts") for (const one of [input].flat()) this.addContact(one);
    else if (method !== "GET" || place !== "state") return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": "application/json" }).end(
      `${JSON.stringify({
        modes: this.modes,
        contacts: [...this.contacts.values()],
        schemas: [...this.schemas.values()],
        interactions: [...this.interactions.values()],
        requests: this.requests.length,
        busiest: this.peakRate,
      })}\n`,
    );
  }
}

const contactJson = ({ id, type, email, customKey, attributes }: Contact) => ({
  id,
  attributes: {
    contactType: type,
    email,
    externalId: customKey,
    ...attributes,
  },
  meta: {},
  preferences: { acceptsEmail: true, acceptsSms: false, acceptsPostal: false },
  consents: [],
});

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};

function parseJson(body: string): unknown {
  try {
    return body === "" ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}
