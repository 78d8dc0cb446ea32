#include "psp_call.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *psp_env(const char *name)
{
    const char *value = getenv(name);
    if (value == NULL) {
        fprintf(stderr, "%s is not set: run this through psp-harness\n", name);
        exit(75);
    }
    return value;
}

const char *psp_string(const cJSON *object, const char *name)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return value != NULL ? value : "";
}

void psp_reply_release(struct psp_reply *reply)
{
    cJSON_Delete(reply->body);
    *reply = (struct psp_reply){0};
}

static struct curl_slist *headers_for(const char *key)
{
    char line[512];
    snprintf(line, sizeof line, "Authorization: Bearer %s", psp_env("PSP_API_KEY"));
    struct curl_slist *headers = curl_slist_append(NULL, line);
    if (key != NULL) {
        snprintf(line, sizeof line, "Idempotency-Key: %s", key);
        headers = curl_slist_append(headers, line);
    }
    return headers;
}

/* A status line alone is no answer: the connection may die, or the body break off, after it. */
static void reply_take(struct psp_reply *reply, CURL *curl, const char *text)
{
    struct curl_header *header;
    curl_off_t seconds = 0;
    reply->body = cJSON_Parse(text);
    if (!cJSON_IsObject(reply->body))
        return;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &reply->status);
    curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
    reply->retry_after = (long)seconds;
    reply->replayed =
        curl_easy_header(curl, "Idempotent-Replayed", 0, CURLH_HEADER, -1, &header) == CURLHE_OK &&
        strcmp(header->value, "true") == 0;
}

/* FORM NULL: a GET. */
static void call(const char *path, const char *form, const char *key, struct psp_reply *reply)
{
    char url[1024], *text = NULL;
    size_t length;
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = headers_for(key);
    FILE *out = open_memstream(&text, &length);

    *reply = (struct psp_reply){0};
    snprintf(url, sizeof url, "%s%s", psp_env("PSP_URL"), path);
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 1000L);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, out); /* the default writer is fwrite */
    if (form != NULL)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, form);
    CURLcode result = curl_easy_perform(curl);
    fclose(out);
    if (result == CURLE_OK)
        reply_take(reply, curl, text);
    else
        fprintf(stderr, "%s %s: %s\n", form != NULL ? "POST" : "GET", path,
                curl_easy_strerror(result));
    free(text);
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
}

void psp_pay(const char *key, const char *order, struct psp_reply *reply)
{
    char form[1024], metadata[512] = "";
    if (order != NULL) {
        char *escaped = curl_easy_escape(NULL, order, 0);
        snprintf(metadata, sizeof metadata, "&metadata[order_id]=%s", escaped);
        curl_free(escaped);
    }
    snprintf(form, sizeof form, "amount=%s&currency=%s&payment_method=pm_card_visa&confirm=true%s",
             psp_env("ORDER_AMOUNT"), psp_env("ORDER_CURRENCY"), metadata);
    call("/v1/payment_intents", form, key, reply);
}

void psp_list(const char *after, struct psp_reply *reply)
{
    char path[256];
    snprintf(path, sizeof path, "/v1/payment_intents?limit=100%s%s",
             *after != '\0' ? "&starting_after=" : "", after);
    call(path, NULL, NULL, reply);
}
