/** A process of the function `move-data`, which may be killed: runs until its parent ends it. */
import { handler } from '../../functions/move-data.ts';

process.stdout.write('ready\n');
for (;;) {
  const { done, failed } = await handler({}, { awsRequestId: String(process.pid) });
  process.stdout.write(`${done} ${failed}\n`);
  await new Promise((resolve) => {
    setTimeout(resolve, 200);
  });
}
