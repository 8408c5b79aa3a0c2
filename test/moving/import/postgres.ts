import { hash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';

import { PGlite } from '@electric-sql/pglite';

import packages from '../../../package-lock.json' with { type: 'json' };
import { joinInserts } from './rows.ts';

/** A PostgreSQL server in this process, with the tables of a Rucio server. */
export interface TestPostgres {
  readonly url: string;
  /** Runs statements in one transaction. */
  run(...statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The code of a request for TLS, which the server has not. */
const tlsRequest = 80_877_103;

/**
 * Starts the server.
 *
 * @param inserts Statements that make its rows.
 */
export async function startPostgres(inserts: readonly string[]): Promise<TestPostgres> {
  const database = await openDatabase();
  await database.exec(joinInserts(inserts));
  // The engine has one session: clients get it one after the other.
  let queue: Promise<unknown> = Promise.resolve();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const session = queue.then(() => serve(database, socket));
    queue = session.catch(() => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `postgresql://postgres:secret@127.0.0.1:${port}/postgres`,
    run: async (...statements) => {
      // Not while a client has a transaction open.
      const done = queue.then(() => database.exec(joinInserts(statements)));
      queue = done.catch(() => {});
      await done;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await queue;
      await database.close();
    },
  };
}

const { version } = packages.packages['node_modules/@electric-sql/pglite'];

/** The tables of Rucio 41; and no databases to copy from, which are a third of what is loaded. */
const preparation = [
  readFileSync(new URL('rucio-41.sql', import.meta.url), 'utf8'),
  "UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template%'",
  'DROP DATABASE template0',
  'DROP DATABASE template1',
];

/** Where a new database is kept: making one takes 5 s of processor time, loading it 0.3. */
const cache = new URL('../../../node_modules/.cache/', import.meta.url);
const prepared = new URL(`rucio-${hash('sha256', version + preparation.join('')).slice(0, 16)}.tar`, cache);

/** A new database with the tables. */
async function openDatabase(): Promise<PGlite> {
  // Given as a whole: the engine takes 0.4 s longer to read the file in parts.
  const fsBundle = new Blob([readFileSync(new URL('pglite.data', import.meta.resolve('@electric-sql/pglite')))]);
  if (existsSync(prepared)) return PGlite.create({ loadDataDir: new Blob([readFileSync(prepared)]), fsBundle });
  const database = await PGlite.create({ fsBundle });
  for (const sql of preparation) await database.exec(sql);
  const data = await database.dumpDataDir('none');
  // A worker that does the same at the same time sees the whole file or none.
  const own = new URL(`${prepared.href}.${process.pid}`);
  mkdirSync(cache, { recursive: true });
  writeFileSync(own, await data.bytes());
  renameSync(own, prepared);
  return database;
}

/** Serves a client until it is gone. */
async function serve(database: PGlite, socket: Socket): Promise<void> {
  try {
    let isStarted = false;
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      for (
        let end = endOfMessage(received, isStarted);
        end <= received.length;
        end = endOfMessage(received, isStarted)
      ) {
        const message = received.subarray(0, end);
        received = received.subarray(end);
        if (!isStarted && message.readInt32BE(4) === tlsRequest) socket.write('N');
        else if (isStarted && message[0] === terminate) return;
        else socket.write(isStarted ? await answer(database, message) : database.execProtocolRawSync(message));
        isStarted ||= message.readInt32BE(4) !== tlsRequest;
      }
    }
  } catch {
    // The client was killed.
  } finally {
    socket.destroy();
    await database.exec('ROLLBACK');
    await database.exec('DISCARD ALL');
  }
}

/** The answer to a message as it is sent: `execProtocolRaw` would read it first, which takes a fifth of the time. */
async function answer(database: PGlite, message: Uint8Array): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  await database.execProtocolRawStream(message, { syncToFs: false, onRawData: (part) => parts.push(part.slice()) });
  return Buffer.concat(parts);
}

const terminate = 'X'.charCodeAt(0);

/** Where the first message ends; the first of a session has no type before its length. */
function endOfMessage(received: Buffer, isStarted: boolean): number {
  const typeBytes = isStarted ? 1 : 0;
  return received.length < typeBytes + 4 ? Number.POSITIVE_INFINITY : typeBytes + received.readInt32BE(typeBytes);
}
