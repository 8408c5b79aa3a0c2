/** A record of the table's stream, as Lambda delivers it. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly dynamodb: {
    readonly SequenceNumber: string;
    readonly Keys: Values;
    readonly NewImage?: Values;
    readonly OldImage?: Values;
  };
}

/** An item, or a part of one, as DynamoDB attributes. */
export type Values = Readonly<Record<string, { readonly S?: string } & Readonly<Record<string, unknown>>>>;

/** The name of the table. */
export const tableName = 'Simulated';
