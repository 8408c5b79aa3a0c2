/** An item or a partition that a request names. */
export interface Place {
  readonly pk: string;
  readonly sk?: string;
  /** Of an item that is put whole: its partitions in the indexes. */
  readonly indexPks?: Readonly<Record<string, string | undefined>>;
}

interface Places {
  readonly places: readonly Place[];
  readonly isWrite: boolean;
  /** The index that is queried. */
  readonly index?: string;
}

interface Value {
  readonly S?: string;
}
type Values = Readonly<Record<string, Value>>;
interface Statement {
  readonly Statement: string;
  readonly Parameters?: readonly Value[];
}
interface Keyed {
  readonly Item?: Values;
  readonly Key?: Values;
}

/** Places that a request of the table reads or writes. */
export function placesOf(operation: string, input: Readonly<Record<string, unknown>>): Places {
  switch (operation) {
    case 'GetItem':
      return { places: [ofKey(input['Key'] as Values)], isWrite: false };
    case 'BatchGetItem': {
      const requests = Object.values(input['RequestItems'] as Record<string, { readonly Keys: readonly Values[] }>);
      return { places: requests.flatMap(({ Keys }) => Keys.map(ofKey)), isWrite: false };
    }
    case 'Query': {
      const pk = (input['ExpressionAttributeValues'] as Values)[':pk']?.S ?? '';
      const index = input['IndexName'] as string | undefined;
      return { places: [{ pk }], isWrite: false, ...(index === undefined ? {} : { index }) };
    }
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return { places: [ofWrite(input)], isWrite: true };
    case 'TransactWriteItems': {
      const items = input['TransactItems'] as readonly Record<string, Keyed>[];
      return { places: items.flatMap((item) => Object.values(item).map(ofWrite)), isWrite: true };
    }
    case 'BatchExecuteStatement': {
      const statements = input['Statements'] as readonly Statement[];
      const isWrite = !statements.every(({ Statement: text }) => text.startsWith('SELECT'));
      return { places: statements.map(ofStatement), isWrite };
    }
    default:
      return { places: [], isWrite: false };
  }
}

const ofKey = ({ PK, SK }: Values): Place => ({ pk: PK?.S ?? '', sk: SK?.S ?? '' });

function ofWrite({ Item, Key }: Keyed): Place {
  return Item === undefined ? ofKey(Key ?? {}) : { ...ofKey(Item), indexPks: indexPksOf(Item) };
}

const indexPksOf = (item: Values) => ({ GSI1: item['GSI1PK']?.S, GSI2: item['GSI2PK']?.S });

function ofStatement({ Statement: text, Parameters = [] }: Statement): Place {
  if (text.startsWith('INSERT')) {
    const names = [...text.matchAll(/'((?:[^']|'')*)': \?/g)].map(([, name = '']) => name);
    return ofWrite({ Item: Object.fromEntries(names.map((name, at) => [name, Parameters[at] ?? {}])) });
  }
  const at = (condition: string) => {
    const before = text.slice(0, text.indexOf(condition));
    return Parameters[before.split('?').length - 1]?.S ?? '';
  };
  return { pk: at('"PK" = ?'), sk: at('"SK" = ?') };
}
