/** Every endpoint of the interface document (spec/interface.md 4), one line each, in its order. */
const part4 = `
POST /dids/
POST /dids/attachments
POST /dids/resurrect
POST /dids/bulkmeta
GET /dids/new
GET /dids/{scope}/
GET /dids/{scope}/dids/search
GET /dids/{scope}/dids/search_extended
POST /dids/{scope}/{name}
GET /dids/{scope}/{name}
PUT /dids/{scope}/{name}/status
GET /dids/{scope}/{name}/dids
POST /dids/{scope}/{name}/dids
DELETE /dids/{scope}/{name}/dids
GET /dids/{scope}/{name}/dids/history
GET /dids/{scope}/{name}/files
GET /dids/{scope}/{name}/rules
GET /dids/{scope}/{name}/associated_rules
GET /dids/{scope}/{name}/parents
GET /dids/{scope}/{name}/meta
POST /dids/{scope}/{name}/meta/{key}
GET /dids/{guid}/guid
POST /dids/{input_scope}/{input_name}/{output_scope}/{output_name}/{nbfiles}/sample
POST /scopes/{account}/{scope}
GET /scopes/
GET /rses/
POST /rses/{rse}
GET /rses/{rse}
PUT /rses/{rse}
DELETE /rses/{rse}
GET /rses/{rse}/attr
POST /rses/{rse}/attr/{key}
DELETE /rses/{rse}/attr/{key}
GET /rses/{source}/attr/{destination}
POST /rses/{source}/attr/{destination}
PUT /rses/{source}/attr/{destination}
GET /rses/{rse}/limits
PUT /rses/{rse}/limits
GET /rses/{rse}/protocols
GET /rses/{rse}/protocols/{scheme}
POST /rses/{rse}/protocols/{scheme}
PUT /rses/{rse}/protocols/{scheme}/{hostname}/{port}
DELETE /rses/{rse}/protocols/{scheme}/{hostname}/{port}
GET /rses/{rse}/qos_policy
POST /rses/{rse}/qos_policy/{policy}
DELETE /rses/{rse}/qos_policy/{policy}
GET /rses/{rse}/usage
PUT /rses/{rse}/usage
GET /rses/{rse}/usage/history
GET /rses/{rse}/accounts/usage
GET /rses/{rse}/lfns2pfns
POST /subscriptions/{account}/{name}
PUT /subscriptions/{account}/{name}
GET /subscriptions/{account}/{name}
GET /subscriptions/{account}
GET /subscriptions/
GET /subscriptions/Id/{subscription_id}
GET /subscriptions/Name/{name}
GET /subscriptions/{account}/{name}/Rules
GET /subscriptions/{account}/{name}/Rules/States
GET /subscriptions/{account}/Rules/States
GET /config/{section}
GET /config/{section}/{option}
PUT /config/{section}/{option}/{value}
DELETE /config/{section}/{option}
`;

/** An endpoint of spec/interface.md 4. */
export interface Endpoint {
  readonly method: string;
  /** With its parameters in braces, as in the document. */
  readonly path: string;
}

/** The endpoints of spec/interface.md 4. */
export const interfaceDocument: readonly Endpoint[] = part4
  .trim()
  .split('\n')
  .map((line) => {
    const [method = '', path = ''] = line.split(' ');
    return { method, path };
  });
