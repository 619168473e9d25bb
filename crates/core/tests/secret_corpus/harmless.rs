//! Values that the search must leave alone.

use crate::generator::{Random, armour, base64};

/// Texts of every kind that looks a little like a secret.
pub(crate) fn texts() -> Vec<String> {
    let mut texts: Vec<String> = WRITTEN.iter().map(|&text| text.to_owned()).collect();
    let mut random = Random::new(3);
    for _ in 0..20 {
        texts.extend(SHAPES.iter().map(|shape| random.fill(shape)));
        texts.extend(armoured(&mut random));
        texts.extend(large(&mut random));
    }
    texts
}

/// Public armour, and private armour without a key in it.
fn armoured(random: &mut Random) -> Vec<String> {
    let labels = [
        "CERTIFICATE",
        "PUBLIC KEY",
        "RSA PUBLIC KEY",
        "CERTIFICATE REQUEST",
        "PGP PUBLIC KEY BLOCK",
        "PGP SIGNATURE",
        "X509 CRL",
        "DH PARAMETERS",
    ];
    labels
        .iter()
        .map(|label| armour(random, label, 20))
        .collect()
}

/// Long runs of base 64, hexadecimal digits and minified text.
fn large(random: &mut Random) -> Vec<String> {
    let image: Vec<u8> = (0..6000)
        .map(|_| u8::try_from(random.below(256)).expect("a byte"))
        .collect();
    let image = base64(&image);
    let wrapped: Vec<&str> = (0..7)
        .map(|line| &image[line * 76..(line + 1) * 76])
        .collect();
    let numbers: Vec<String> = (0..400).map(|_| random.fill("0.<digit16>")).collect();
    let colours: Vec<String> = (0..400).map(|_| random.fill("#<hex6>")).collect();
    let bytes: Vec<String> = (0..400).map(|_| random.fill("0x<hex2>")).collect();
    let mappings: Vec<String> = (0..400).map(|_| random.text("base", 4)).collect();
    let minified: Vec<String> = (0..200)
        .map(|_| {
            random.fill(
                "function <w1>(e,t){return <w2>.<w1>(e)?<w1>:<w2>[t]}var <w2>=<w1>(<digit4>);",
            )
        })
        .collect();
    vec![
        format!("<img src=\"data:image/png;base64,{image}\">"),
        format!(".icon {{ background: url(data:font/woff2;base64,{image}) }}"),
        format!("secret_picture = \"data:image/png;base64,{image}\""),
        wrapped.join("\n"),
        format!("const TABLE: [f64; 400] = [{}];", numbers.join(", ")),
        format!("palette = [{}]", colours.join(", ")),
        format!("let key = [{}];", bytes.join(", ")),
        format!(
            "{{\"version\":3,\"sources\":[\"token.js\"],\"mappings\":\"{}\"}}",
            mappings.join(",")
        ),
        minified.concat(),
    ]
}

/// Shapes that are filled again each time.
const SHAPES: &[&str] = &[
    "id = \"<hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>\"\n",
    "token_id: <hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>\n",
    "session = UUID('<hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>')\n",
    "md5 = \"<hex32>\"\n",
    "password_hash = \"<hex64>\"\n",
    "token_sha256 = \"<hex64>\"\n",
    "assert digest == \"<hex40>\"\n",
    "secret_hash: \"$2b$12$<w53>\"\n",
    "commit <hex40>\nAuthor: A\n",
    "index <hex7>..<hex7> 100644\n",
    "100644 blob <hex40>\ttoken.py\n",
    "[[package]]\nname = \"secrecy\"\nversion = \"0.8.0\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"<hex64>\"\n",
    "\"node_modules/js-tokens\": {\n  \"version\": \"4.0.0\",\n  \"resolved\": \"https://registry.npmjs.org/js-tokens/-/js-tokens-4.0.0.tgz\",\n  \"integrity\": \"sha512-<base86>==\"\n}\n",
    "js-tokens@^4.0.0:\n  version \"4.0.0\"\n  resolved \"https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#<hex40>\"\n  integrity sha512-<base86>==\n",
    "[[package]]\nname = \"secretstorage\"\nfiles = [\n    {file = \"SecretStorage-3.3.3.tar.gz\", hash = \"sha256:<hex64>\"},\n]\n",
    "github.com/golang-jwt/jwt v3.2.2 h1:<base43>=\ngithub.com/golang-jwt/jwt v3.2.2/go.mod h1:<base43>=\n",
    "    --hash=sha256:<hex64> \\\n",
    "ETag: \"<hex32>\"\n",
    "X-Request-Id: <hex32>\n",
    "\"/static/js/token.<hex20>.js\"\n",
    "s3://acme-data/secrets/2024/<hex32>/part-00000.parquet\n",
    "https://acme.io/documents/<w24>/edit#<digit8>\n",
    "script(src=\"https://cdn.acme.io/a.js\" integrity=\"sha384-<base64>\" crossorigin=\"anonymous\")\n",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ<base200> me@acme\n",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<base43> me@acme\n",
    "FROM python@sha256:<hex64>\n",
    "tests/test_token.py::test_login[<hex8>] PASSED\n",
    "trace_id=<hex32> span_id=<hex16>\n",
    "next_token = \"<w40>\"\n",
    "\"LockToken\": \"<hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>\",\n",
    "client_token: token-<hex8>-<hex4>-4<hex3>-8<hex3>-<hex12>\n",
    "{\"name\": \"TOKEN_REVISION\", \"value\": \"<hex40>\"}\n",
    "{\"name\": \"API_KEY\", \"image\": \"acme/api@sha256:<hex64>\"}\n",
    "- name: API_KEY\n  image: acme/api@sha256:<hex64>\n",
    "token,<digit16>,<digit4>\n",
    "api_key: |\n  first line of words\n  <hex40>\n",
    "\"page_token\": \"<w40>\"\n",
    "csrf_token = \"<w32>\"\n",
    "public_key = \"<hex64>\"\n",
    "nonce = \"<base22>==\"\n",
    "token = \"<digit20>\"\n",
    "sk_test_<w24> is for tests\n",
    "pk_live_<w24> is public\n",
    "pk.eyJ<w40>.<w22>\n",
    "ISBN 978-<digit1>-<digit2>-<digit6>-<digit1>\n",
    "phone: +49 <digit3> <digit8>\n",
    "blob = \"<w40>AKIA<BASE16><w40>\"\n",
    "blob = \"<w40>ghp_<w36>\"\n",
    "key = bytes.fromhex(\"<hex64>\")\n",
    "assert hmac(key, data) == b\"\\x<hex2>\\x<hex2>\\x<hex2>\\x<hex2>\\x<hex2>\\x<hex2>\"\n",
    "Bearer realm=\"<w6>\"\n",
    "postgres://user:password@db-<low6>.acme.io/main\n",
];

/// Texts as people write them.
const WRITTEN: &[&str] = &[
    "password = \"hunter2\"\n",
    "password=\"secret\"\n",
    "password: changeme123\n",
    "password: ${DB_PASSWORD}\n",
    "password: {{ vault_db_password }}\n",
    "password: <your-password-here>\n",
    "password = '********************'\n",
    "password=%(database_password)s\n",
    "PASSWORD=xxxxxxxxxxxxxxxxxxxx\n",
    "api_key = \"your-api-key-goes-here-123\"\n",
    "api_key = \"YOUR_API_KEY_1234567890\"\n",
    "API_KEY = os.environ[\"API_KEY\"]\n",
    "API_KEY = os.getenv(\"STRIPE_API_KEY_2\", \"\")\n",
    "const apiKey = process.env.OPENAI_API_KEY_V2;\n",
    "let token = std::env::var(\"GITHUB_TOKEN\")?;\n",
    "token = get_token_from_request(request)\n",
    "token = self.tokens[position1].value2\n",
    "token: Token = next(self.tokens2)\n",
    "token = tokenizer.next_token_after2(position)\n",
    "secret = generate_random_secret(length=32)\n",
    "secret_key = \"test-secret-key-for-unit-tests-only-42\"\n",
    "SECRET_KEY = \"django-insecure-example-key-0123456789\"\n",
    "client_secret = \"sample_client_secret_value_1\"\n",
    "access_token = \"fake-access-token-7f3a9b2c1d\"\n",
    "access_token = 'dummyAccessToken12345'\n",
    "private_key = load_pem_private_key(data, password=None)\n",
    "private_key_path = \"/etc/ssl/private/server-2024-a1b2c3.key\"\n",
    "private_key_file: ./keys/prod_rsa_4096_v2.pem\n",
    "credentials_url = \"https://acme.io/oauth2/v4/credentials?x=A1b2C3d4E5f6\"\n",
    "token_url = \"https://acme.io/oauth2/v4/token/A1b2C3d4E5f6G7h8\"\n",
    "password_field_name = \"user_password_field_2a9f\"\n",
    "password_pattern = \"^(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9!@#]{8,64}$\"\n",
    "passwordPlaceholder: 'Passwort vergessen?'\n",
    "\"forgot_password\": \"Passwort vergessen?\"\n",
    "\"token_expired\": \"Ihre Sitzung ist abgelaufen, bitte melden Sie sich neu an.\"\n",
    "msgid \"Password:\"\nmsgstr \"Contraseña:\"\n",
    "<input type=\"password\" name=\"password\" id=\"id_password2\" autocomplete=\"current-password\">\n",
    "{% csrf_token %}\n",
    "<input type=\"hidden\" name=\"csrfmiddlewaretoken\" value=\"{{ csrf_token }}\">\n",
    "TOKEN_TYPE_ACCESS_V2 = \"urn:ietf:params:oauth:token-type:access_token\"\n",
    "enum Token { Identifier2, LeftBrace1, RightBrace1, StringLiteral8 }\n",
    "Token::Identifier(name) => self.push_token(name),\n",
    "match token { Token::Number(value) => value, _ => 0 }\n",
    "tokens = [\"alpha\", \"beta\", \"gamma\"]\n",
    "max_tokens=4096, temperature=0.7, model=\"gpt-4o-2024-08-06\"\n",
    "from acme.security.credentials.tokenProviderFactoryV2 import TokenProvider\n",
    "import { getAccessTokenSilently } from '@auth0/auth0-react/v2';\n",
    "com.acme.security.oauth2.provider.token.DefaultTokenServices2\n",
    "passwordResetTokenGeneratorServiceImplementation2\n",
    ".password-strength-meter-v2 { color: #a1b2c3; background: #0f1e2d4c }\n",
    "grid-template-areas: 'header1 header2' 'token3 token4';\n",
    "re.compile(r\"ghp_[A-Za-z0-9]{36}\")\n",
    "re.compile(r\"AKIA[0-9A-Z]{16}\")\n",
    "pattern: '-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY-----[\\\\s\\\\S-]*KEY-----'\n",
    "if \"-----BEGIN RSA PRIVATE KEY-----\" in text: raise ValueErrorOfSomeVeryLongName(\"private keys are not allowed here\")\n",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq...\n-----END PRIVATE KEY-----\n",
    "-----BEGIN RSA PRIVATE KEY-----\nYOUR KEY GOES HERE\n-----END RSA PRIVATE KEY-----\n",
    "AKIAIOSFODNN7EXAMPLE\n",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
    "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
    "ghp_1234567890abcdefghijklmnopqrstuvwxyz\n",
    "ghp_yourtokenhere and sk-... and xoxb-your-token\n",
    "sk-ant-api03-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX\n",
    "sk_live_your_key\n",
    "token: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c\n",
    "eyJhbGciOiJub25lIn0.eyJhIjoxfQ.\n",
    "postgres://user:password@localhost/db\n",
    "postgres://postgres:postgres@localhost:5432/test_database\n",
    "mysql://root:root@127.0.0.1/app\n",
    "mongodb://<username>:<password>@cluster0.acme.io/\n",
    "redis://:${REDIS_PASSWORD}@redis:6379/0\n",
    "amqp://guest:guest@rabbitmq:5672//\n",
    "https://user:pass@example.com/path\n",
    "https://username:p%40ssword@proxy.example.com:8080\n",
    "https://$USER:$PASSWORD@host/\n",
    "https://{user}:{password}@{host}/\n",
    "http://joe:***@python.org/\n",
    "git@github.com:acme/token-service-v2.git\n",
    "https://acme.io:8443/a@b\n",
    "http://[::1]:8080/token@v2\n",
    "Authorization: Bearer <token>\n",
    "Authorization: Bearer $ACCESS_TOKEN\n",
    "Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}\n",
    "headers = {\"Authorization\": f\"Bearer {token}\"}\n",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==\n",
    "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\n",
    "WWW-Authenticate: Basic realm=\"Restricted-Area-51\"\n",
    "curl -u user:password https://acme.io\n",
    "curl -u \"$USER:$TOKEN\" https://acme.io\n",
    "curl -u admin:admin http://localhost:9200\n",
    "docker run -u 1000:1000 image\n",
    "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}\n",
    "env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: db-credentials-v2-7f9c\n        key: password\n",
    "DATABASE_PASSWORD_FILE=/run/secrets/database-password-v2\n",
    "SECRET_MANAGER_PROJECT_ID_2=acme-prod-platform-2f9a\n",
    "resource \"aws_secretsmanager_secret\" \"db_password_v2\" { name = \"prod/db/password-2024\" }\n",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-a1B2c3\n",
    "def test_token_is_rejected_when_password_was_changed_2024(client): ...\n",
    "assert response.json()[\"token_type\"] == \"bearer\"\n",
    "self.assertEqual(token, \"abcdefghijklmnop1234567890\")\n",
    "token = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n",
    "key = \"000102030405060708090a0b0c0d0e0f\"\n",
    "secret = \"00112233445566778899aabbccddeeff\"\n",
    "password = \"correct horse battery staple\"\n",
    "password = \"correct-horse-battery-staple-42\"\n",
    "passphrase: TheQuickBrownFoxJumpsOverTheLazyDog1\n",
    "accessKey: 'CommonDialogAccessKeyUnderline2'\n",
    "android:accessKey=\"@string/toolbar_access_key_v2\"\n",
    "accesskey=\"n\" title=\"[Alt+n]\"\n",
    "#define TOKEN_BUFFER_SIZE_MAX 0x00010000\n",
    "typedef struct token_s { int type; char text[64]; } token_t;\n",
    "SELECT token, secret FROM oauth_access_tokens_v2 WHERE id = 42;\n",
    "ALTER USER app WITH PASSWORD :'db_password_v2';\n",
    "password == user.password_confirmation2\n",
    "if (password !== confirmPassword2ndInput) {}\n",
    "token=\"$(kubectl get secret my-sa-token-x7k2p -o jsonpath='{.data.token}')\"\n",
    "echo \"::add-mask::$TOKEN_V2\"\n",
    "auth_token = request.headers.get(\"X-Auth-Token-V2\")\n",
    "private_key: PrivateKey::from_bytes(&bytes32)?,\n",
    "secret: z.string().min(16).max(64),\n",
    "token: string | undefined = undefined;\n",
    "apiKey: config.get<string>('STRIPE_API_KEY_V2'),\n",
    "\"secret\": \"projects/acme/secrets/db-password/versions/12\"\n",
    "\"credentials\": \"same-origin-when-cross-origin\"\n",
    "<key>TokenDigest</key>\n<string>5f2b9c0d7e1a48365f0c9b2d</string>\n",
    "<SubjectFromToken>\n  acme1.account.KZ8QXW2LPV9BTF4RJN7C\n</SubjectFromToken>\n",
    "2024-05-01T12:00:00.123456Z token refreshed for user 1234567890123456\n",
];
