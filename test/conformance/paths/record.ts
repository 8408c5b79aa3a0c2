/**
 * Sends the paths to a real Rucio server with an empty database and stores status and class of its answers.
 * Usage: node test/conformance/paths/record.ts --base-url http://127.0.0.1:PORT
 */
import { readArguments } from '../command-line.ts';
import { send } from '../http.ts';
import { askAll, writeAnswers } from './fixture.ts';

const { baseUrl } = readArguments();
const { version } = JSON.parse((await send(baseUrl, 'GET', '/ping', {}, undefined)).text) as { version: string };
const answers = (await Array.fromAsync(askAll(baseUrl))).map(({ request, answer }) => `${request} ${answer}`);
await writeAnswers({ server: `Rucio ${version}`, answers });
console.log(`${answers.length} answers`);
