// The pages of Docs/, as bytes of the program.
#ifndef DAYBOOK_DOCUMENTS_H
#define DAYBOOK_DOCUMENTS_H

#include <stddef.h>

struct daybook_document {
  // The path below Docs/.
  const char *path;
  const unsigned char *bytes;
  size_t byte_count;
};

// How many there are.
size_t daybook_document_count(void);
// The document at an index below the count.
struct daybook_document daybook_document_at(size_t index);

#endif
