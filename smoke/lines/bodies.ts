import { failed, type Line, ok } from '../line.ts';
import { say } from '../words.ts';

const mebibyte = 1024 * 1024;

/** Sizes below and above the limit of Lambda, 6 MB with the rest of the event, and of API Gateway, 10 MB. */
const sizes = [
  { size: 5.9, isAdmitted: true },
  { size: 6.1, isAdmitted: false },
  { size: 9.9, isAdmitted: false },
  { size: 10.1, isAdmitted: false },
] as const;

const unclear =
  'Clients cannot tell that the body is too long, and repeat it. Tell them to send bulk requests of at most 5 MB; in front of AWS, set ' +
  'the limit of a proxy to 10 MB.';

/** Whether bodies around the limits are served or refused in words. */
export const bodies: readonly Line[] = sizes.map(({ size, isAdmitted }) => ({
  name: `body-${size}-mb`,
  tries: `a body of ${size} MB is ${isAdmitted ? 'read' : 'read, or refused with 413'}, and the answer comes`,
  advice: isAdmitted
    ? 'Something in front of the deployment has a lower limit than AWS: raise it to 10 MB (nginx: client_max_body_size).'
    : unclear,
  needs: 'token',
  async run(deployment) {
    const document = '{"dids": []}';
    const body = document + ' '.repeat(Math.floor(size * mebibyte) - document.length);
    const answer = await deployment.call({ method: 'POST', path: '/replicas/list', body });
    if (answer.status === 200) return ok(`read: ${say(answer)}`);
    if (answer.status === 413 && !isAdmitted) return ok(`refused: ${say(answer)}`);
    return failed(say(answer), answer.status >= 500 ? unclear : undefined);
  },
}));
