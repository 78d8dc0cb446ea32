/* XML as Ruby on Rails writes values, to and from JSON:
 *
 *   <transaction>                              {"transaction": {
 *     <order-id>order_1</order-id>               "order_id": "order_1",
 *     <count type="integer">1</count>            "count": 1,
 *     <ids type="array"><id>a</id></ids>         "ids": ["a"]}}
 *   </transaction>
 *
 * What a client may send is bounded: nesting, elements, size by whoever reads the body; there are
 * no document types, so that no entity can grow. */
#ifndef XML_H
#define XML_H

#include "err.h"
#include "json.h"

#include <stddef.h>

#define XML_MOST_NESTING  16
#define XML_MOST_ELEMENTS 2000

/* Parses one document in UTF-8 into an object with its root as the only member. Dashes in names
 * become underscores; every value is text, as it stands there, or null (nil="true"); of elements
 * with one name in one parent that is no array the last one counts. Attributes but type and nil are
 * ignored. ERR_INVALID and ERR_LIMIT, with a sentence in WHY, leave *JSON NULL. */
enum err xml_parse(const char *text, size_t length, struct json **json,
                   struct err_text *why) MUST_CHECK;

/* The document of an object with one member, to be freed; NULL when JSON is anything else. Whole
 * numbers, booleans, null and arrays say what they are; a text whose name ends in _at is a time. A
 * character that XML has no place for becomes U+FFFD. */
char *xml_print(const struct json *json);

#endif
