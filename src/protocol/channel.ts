import type { IncomingMessage } from 'node:http';

/** The answer to one message. */
export interface Answer {
  readonly status: number;
  /** The body in pieces, so that what was made once is not copied; empty for no body. */
  readonly body: readonly (string | Buffer)[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** The way back of one HTTP request. Whatever is sent on a channel that is over goes nowhere. */
export interface Channel {
  /** The client takes an event stream, so that messages can go before the answer. */
  readonly canStream: boolean;
  /** Answers, once. On a stream that has begun, the body is its last event. */
  answer(answer: Answer): void;
  /** Sends a message before the answer. Begins the stream, where the client takes one. */
  send(message: string): void;
  /** The same for a message that may be left out while the client is behind with reading. */
  sendIfFree(message: string): void;
  /** Begins the stream without a message, so that the client knows that the server is at work. */
  open(): void;
  /** Ends a stream without an answer. */
  end(): void;
  /** Calls back when the client closes the channel before the answer, or at once when it has. */
  onClientClosed(listener: () => void): void;
  /** Calls back when the channel is over, for whatever reason. */
  onOver(listener: () => void): void;
}

/** A request and its response as the framework has them: what a guard is given. */
export interface HttpPair {
  readonly request: object;
  readonly response: object;
}

/** An HTTP request to the endpoint, as its guards left it. */
export interface McpRequest {
  readonly raw: IncomingMessage;
  readonly http: HttpPair;
  /** The size of the message, in bytes. */
  readonly bytesIn: number;
  /** Who calls; `null` for nobody. Asked when it is needed. */
  principal(): string | null;
  /** What the caller was granted. Asked when it is needed. */
  scopes(): readonly string[];
}
